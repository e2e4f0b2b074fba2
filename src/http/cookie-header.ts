/** Returns the value of one cookie from a `Cookie` header field, or undefined if it was not sent. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(/; */) ?? []) if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1)
  return undefined
}
