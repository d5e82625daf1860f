const createIcon = (size: number, purpose: string) => ({
  src: `/icons/${size}.png`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

export const manifest = {
  id: "/",
  name: "Event Alerting",
  short_name: "Alerts",
  description: "What is open, who is on call, and why you were told.",
  start_url: "/inbox",
  scope: "/",
  display: "standalone",
  background_color: "#ffffff",
  theme_color: "#1f6feb",
  icons: [createIcon(192, "any maskable"), createIcon(512, "any maskable"), createIcon(180, "any")],
} as const;
