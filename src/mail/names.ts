import { isolateName, toSingleLine, truncate } from '../web/display-name.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

// Users choose names, and mails show them to people who do not know these users. Mail clients make links of everything that looks like
// the address of a web site, so mails contain names only through these functions (docs/decisions/invitations.md#names-in-emails).

/** U+2060, invisible and without a width. Unlike a space it does not change how a name looks. */
const wordJoiner = '\u2060'
// Mail clients also accept the full stops of East Asian scripts, as browsers do.
const dotWithin = /(?<=\S)[.\u3002\uff0e\uff61](?=\S)/gu
const isEmailAddress = (text: string) => /^[^\s@/]+@[\p{L}\p{N}.-]+$/u.test(text) && !/(?<![\p{L}\p{N}])www\./iu.test(text)

/** Returns the text with joiners in everything that a mail client could take for the address of a web site. Email addresses stay as they are. */
function withoutWebAddresses(text: string): string {
  if (isEmailAddress(text)) return text
  return text.replace(dotWithin, `${wordJoiner}$&${wordJoiner}`).replace(/\/(?=\/)/g, `/${wordJoiner}`)
}

/** A name or an email address for a sentence, as one line that cannot change the text around it. Default: in full. */
export const nameInText = (name: string, characters = Infinity): string =>
  isolateName(withoutWebAddresses(truncate(toSingleLine(name), characters)))

/** The same with emphasis, for the HTML of the sentence. */
export const nameInHtml = (name: string): Html => html`<strong><bdi>${withoutWebAddresses(toSingleLine(name))}</bdi></strong>`

/** A name for the subject, shortened to 60 characters. */
export const nameInSubject = (name: string): string => withoutWebAddresses(truncate(toSingleLine(name), 60))
