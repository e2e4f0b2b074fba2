type WithDates<Row, Name extends keyof Row> = Omit<Row, Name> & { [Each in Name]: Date | Extract<Row[Each], null> }

/** Converts the instants of a row, which statements select as text, to Prisma's types. It changes the row, which two lists may share. */
export function withDates<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): WithDates<Row, Name> {
  const dates = names.map((name) => [name, typeof row[name] === 'string' ? new Date(row[name]) : row[name]])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each of the names has a date now, or null as before
  return Object.assign(row, Object.fromEntries(dates)) as WithDates<Row, Name>
}
