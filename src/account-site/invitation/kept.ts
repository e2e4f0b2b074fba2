import type { Cookies } from '../cookies.ts'

// The secret of an invitation's link, kept by the browser that opened it: sealed, so that neither addresses nor forms
// carry it while somebody signs in or up.

/** Where an opened invitation is read and answered. */
export const invitationPath = '/invitation'

const name = 'invitation'
const hourInSeconds = 3600

/** Keeps the secret for as long as signing up may take. */
export const keepInvitation = (cookies: Cookies, secret: string): void => cookies.set(name, secret, hourInSeconds)

/** The secret of the link that was opened last; empty, which is no secret, where there is none. */
export const keptInvitation = (cookies: Cookies): string => cookies.get(name) ?? ''

export const forgetInvitation = (cookies: Cookies): void => cookies.clear(name)
