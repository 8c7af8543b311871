"""The HTTP application: routes by audience, live feeds, and the pages."""
