import { isolateName, toSingleLine, truncate } from '../web/display-name.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

// Users choose names, and mails show them to people who may not trust these users. Mail clients make links of everything that looks like
// the address of a web site, so mails contain names only through these functions (docs/decisions/invitations.md#names-in-emails).

/** U+2060, which is invisible and without a width. Unlike a space, it does not change the look of a name. */
const wordJoiner = '\u2060'
// Mail clients also accept the full stops of East Asian scripts, as browsers do.
const dotWithin = /(?<=\S)[.\u3002\uff0e\uff61](?=\S)/gu
const isEmailAddress = (text: string) => /^[^\s@/]+@[\p{L}\p{N}.-]+$/u.test(text) && !/(?<![\p{L}\p{N}])www\./iu.test(text)

/** Returns the text with joiners in everything that a mail client could take for a web address. Email addresses stay unchanged. */
function withoutWebAddresses(text: string): string {
  if (isEmailAddress(text)) return text
  return text.replace(dotWithin, `${wordJoiner}$&${wordJoiner}`).replace(/\/(?=\/)/g, `/${wordJoiner}`)
}

/** Returns a name or an email address for a sentence, as one line that cannot change the text around it. By default it is not shortened. */
export const nameInText = (name: string, characters = Infinity): string =>
  isolateName(withoutWebAddresses(truncate(toSingleLine(name), characters)))

/** Returns the emphasized name for the HTML of the sentence. */
export const nameInHtml = (name: string): Html => html`<strong><bdi>${withoutWebAddresses(toSingleLine(name))}</bdi></strong>`

/** Returns a name for the subject, shortened to 60 characters. */
export const nameInSubject = (name: string): string => withoutWebAddresses(truncate(toSingleLine(name), 60))
