/**
 * Where the links of mails lead: the secret is the last segment of the path. Not the fragment: that never reaches the
 * server, and the page has to work without JavaScript. Not the query: a page that is submitted or sorted builds on the
 * query, and copies it. What a path costs is paid here: it is kept out of the log (`withoutSecret`), and the page
 * exchanges it for a sealed cookie and redirects to an address without it, so that it stays neither in the address bar
 * nor in a `Referer`.
 */
export const invitationLinkPath = '/invitations/'
export const mailLinkPath = '/links/'

/** The link in the mail of an invitation. */
export const invitationLink = (authUrl: string, secret: string): string => `${authUrl}${invitationLinkPath}${secret}`

/** The link in a mail to a person about their account. */
export const mailLink = (authUrl: string, secret: string): string => `${authUrl}${mailLinkPath}${secret}`

/** A path as it may be logged: without the secret of a link. */
export const withoutSecret = (path: string): string => path.replace(secretInPath, '$1…')
const secretInPath = new RegExp(`^(${invitationLinkPath}|${mailLinkPath})[^/]+`, 'i')
