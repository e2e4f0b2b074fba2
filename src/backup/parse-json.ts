/** Parses JSON; undefined for a text that is not JSON. */
export function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined
  }
}
