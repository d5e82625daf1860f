"""A desktop's notification service (org.freedesktop.Notifications) that somebody can press from outside.

Writes a line of JSON for each notification as it is shown, replaced or closed; reads `press <id> <action>` a line.
"""

import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


def say(**what):
    print(json.dumps(what), flush=True)


class Notifications(dbus.service.Object):
    last = 0

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "persistence"]

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return ("desktop", "tests", "1", "1.2")

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, expires):
        self.last = replaces or self.last + 1
        say(kind="shown", id=int(self.last), title=str(summary), body=str(body), actions=[str(one) for one in actions])
        return dbus.UInt32(self.last)

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, id):
        say(kind="closed", id=int(id))
        self.NotificationClosed(id, 3)

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, id, action):
        pass

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, id, reason):
        pass


DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
owned = dbus.service.BusName(NAME, bus)
service = Notifications(bus, "/org/freedesktop/Notifications")


def command(source, condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    _, id, action = line.split()
    service.ActionInvoked(dbus.UInt32(int(id)), action)
    return True


loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, command)
say(kind="ready")
loop.run()
