/**
 * The `amr` of a session and its ID tokens: absent if this service verified nothing itself, because an identity provider did. An empty list
 * says nothing to clients, and some libraries refuse it.
 */
export const amrOf = (methods: readonly string[]): string[] | undefined => (methods.length > 0 ? [...methods] : undefined)
