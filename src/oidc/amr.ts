/**
 * Returns the `amr` of a session and its ID tokens. It is absent if an identity provider verified the user and this service did not. An
 * empty list has no meaning for clients, and some libraries refuse it.
 */
export const toAmr = (methods: readonly string[]): string[] | undefined => (methods.length > 0 ? [...methods] : undefined)
