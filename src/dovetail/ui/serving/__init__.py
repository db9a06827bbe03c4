"""The web server: addresses, access, requests, events and threads."""
