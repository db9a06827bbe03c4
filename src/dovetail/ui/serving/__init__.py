"""The web server: its socket, access control, routes, requests, events and threads."""
