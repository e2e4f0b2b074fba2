import type pg from 'pg'

/** Connections on which statements must not be prepared. */
export const unpreparedConnections = new WeakSet<pg.Connection>()
