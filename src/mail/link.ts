/**
 * Paths of the links in mails, whose last segment is the secret. A fragment would not reach the server, and the page must work without
 * JavaScript. A query would be copied when the page is submitted or sorted. To keep the path secret, the log has only the route's template.
 * The page exchanges the secret for an encrypted cookie and redirects to an address without it, so that it appears neither in the address
 * bar nor in a `Referer` header field.
 */
export const invitationLinkPath = '/invitations/'
export const mailLinkPath = '/links/'

/** Returns the link in an invitation mail. */
export const invitationLink = (authUrl: string, secret: string): string => `${authUrl}${invitationLinkPath}${secret}`

/** Returns the link in a mail about an account. */
export const mailLink = (authUrl: string, secret: string): string => `${authUrl}${mailLinkPath}${secret}`
