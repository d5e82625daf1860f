const createIconEntry = (size: number, purpose: string) => ({
  src: `/icons/${size}.png`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

export const manifest = {
  id: "/",
  name: "Event Alerting",
  short_name: "Alerts",
  description: "What is open, who is on call, and why you were notified.",
  start_url: "/inbox",
  scope: "/",
  display: "standalone",
  background_color: "#ffffff",
  theme_color: "#1f6feb",
  icons: [createIconEntry(192, "any maskable"), createIconEntry(512, "any maskable"), createIconEntry(180, "any")],
} as const;
