// Matches strings, keys with the colon after them, and the braces around members.
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g

/**
 * Returns a key that an object in a valid JSON text has twice, or null. JSON.parse keeps only the last value of a repeated key (RFC 8259
 * §4), so that a file with a mistake would be imported as if it had none.
 */
export function repeatedKey(json: string): string | null {
  const open: Set<string>[] = []
  for (const [token, string, colon] of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (string !== undefined && colon !== undefined) {
      // The key is decoded, because "a" and "\u0061" are the same key.
      const key = String(JSON.parse(string))
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return null
}
