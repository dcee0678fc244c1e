package replay

// With a ReplayURL the server has two origins, which keeps archived scripts from whatever the server's own origin
// may do: the replay origin answers with mementos, animations of them and static files only, the main one with everything else. Each
// knows itself by the Host of a request (see docs/isolation.md).
