// Some providers send null for an optional member that they do not have, such as `"refresh_token": null`. The standards say nothing about it.
// openid-client refuses it, and a claim that is null would replace that of UserInfo.

/** Returns an object without the members that are null. */
export const removeNulls = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, member]) => member !== null))

/** Does the same for JSON. A value that is no object stays as it is. */
export const removeNullsInJson = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? removeNulls(json) : json

/** Does the same for JSON as text. A text that is no JSON stays as it is: its reader says what is wrong with it. */
export function removeNullsInText(text: string): string {
  try {
    return JSON.stringify(removeNullsInJson(JSON.parse(text)))
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
