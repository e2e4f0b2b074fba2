/**
 * SQL condition that each word of a query, which is SQL, is the beginning of a word of the text. The indexes `users_words` and others have the
 * same expression.
 */
export const hasWords = (sql: string, wordQuery: string) =>
  `to_tsvector('simple', translate(${sql}, '@.-_+/:', '       ')) @@ to_tsquery('simple', ${wordQuery})`

/** SQL for the words of a client. The index `oauth_clients_words` has the same expression. */
export const clientWords = (client: string) => `${client}.name || ' ' || coalesce(${client}.publisher, '') || ' ' || ${client}.client_id`

/** Returns the words of a text as a query of PostgreSQL's text search. It matches nothing if the text has no word. */
export const toWordQuery = (searched: string): string =>
  searched
    .split(/[\s@.\-_+/:]+/u)
    .filter((word) => word !== '')
    .map((word) => `'${word.replaceAll(/['\\]/g, String.raw`\$&`)}':*`)
    .join(' & ')
