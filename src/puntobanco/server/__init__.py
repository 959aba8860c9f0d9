"""The service: live tables with patrons, dealers and supervisors, over HTTP and a socket."""
