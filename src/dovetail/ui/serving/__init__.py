"""The web server: its socket, access control, routes, events and threads."""
