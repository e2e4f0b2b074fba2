import type { AuthenticationReference } from '../../schema/core/browser-session.ts'

/**
 * The `amr` of a session and its ID tokens: absent if this service verified nothing itself, because an identity provider did. An empty list
 * says nothing to clients, and some libraries refuse it.
 */
export const amrOf = (methods: readonly AuthenticationReference[]): AuthenticationReference[] | undefined =>
  methods.length > 0 ? [...methods] : undefined
