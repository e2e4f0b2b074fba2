// Some providers send null for an absent optional member, such as `"refresh_token": null`. The standards do not mention this case.
// openid-client refuses it, and a null claim would replace that of UserInfo.

/** Returns an object without the members that are null. */
export const removeNulls = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, member]) => member !== null))

/** Removes nulls from JSON. A value that is not an object remains unchanged. */
export const removeNullsInJson = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? removeNulls(json) : json

/** Removes nulls from JSON as text. A text that is not JSON remains unchanged: its reader reports the error. */
export function removeNullsInText(text: string): string {
  try {
    return JSON.stringify(removeNullsInJson(JSON.parse(text)))
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
