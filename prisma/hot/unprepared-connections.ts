import type pg from 'pg'

/** Connections on which nothing can be prepared. */
export const unpreparedConnections = new WeakSet<pg.Connection>()
