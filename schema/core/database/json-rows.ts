/** Builds SQL for the rows of a SELECT as a JSON array, whose objects have the names of the columns. */
export const jsonRows = (select: string): string => `(SELECT coalesce(json_agg(r), '[]') FROM (${select}) r)`

/** Builds SQL for an instant in the form of responses, such as `2026-01-31T09:30:00.500Z`. JSON of PostgreSQL has another form. */
export const jsonInstant = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
