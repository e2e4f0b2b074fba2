/** Words that a customer, or a developer, must not read, and what to write instead and why. */
export interface Forbidden {
  words: RegExp
  reason: string
}

/** Everywhere: pages, emails, and the descriptions of both APIs. */
const everywhere: readonly Forbidden[] = [
  {
    words: /(?<!\b(?:email|IP|billing|postal|web|network) )\baddress(?:es)?\b/i,
    reason: 'email address, IP address or billing address: say which',
  },
  { words: /\be-mails?\b/i, reason: 'email' },
  { words: /(?<!back-channel )\blog ?(?:in|out|on|off)\b|\blogged (?:in|out)\b/i, reason: 'sign in, sign out' },
  { words: /\bsomebody\b/i, reason: 'someone' },
  { words: /\bsecond factor\b/i, reason: 'two-factor authentication' },
  { words: /\bauthenticator application\b/i, reason: 'authenticator app' },
  { words: /\b(?:please|sorry|oops)\b/i, reason: 'no courtesies: say what happened and what to do' },
  { words: /\bclick\b/i, reason: 'select, open: not everybody uses a mouse' },
  { words: /\b(?:cancelled|colour|favourite|organis|authoris|recognis)\w*/i, reason: 'American spelling, as in the rest' },
  { words: /\.\.\./, reason: 'the character …' },
  { words: /\b(?!in in\b)([a-z]{2,}) \1\b/, reason: 'a word twice' },
]

/** On pages and in emails, whose readers know neither OAuth nor the words of the contract. */
const forCustomers: readonly Forbidden[] = [
  { words: /\bapplications?\b/i, reason: 'product, or app for an OAuth client' },
  {
    words: /\bCerts?\b|\bShortener\b|\bSeveral\b(?! products)/,
    reason: 'the names in schema/core/products.ts; “Several products” for an invoice with lines of more than one',
  },
  { words: /\bmails?\b/i, reason: 'email' },
  { words: /\b(?:nobody|anybody|everybody)\b/i, reason: 'no one, anyone, everyone, or the people meant' },
  { words: /\btick(?:s|ed)?\b/i, reason: 'select' },
  { words: /\bstands? for\b/i, reason: 'is, means or represents' },
  { words: /\bconcerned\b|\bat present\b/i, reason: 'affected; at the moment' },
  { words: /\b(?:it answered|(?:its|the) answers?)\b/i, reason: 'response, and who responded' },
  { words: /\bgrants?\b/i, reason: 'the access of an app' },
  { words: /\b(?:null|undefined|NaN)\b|\[object/, reason: 'a value without a format' },
  { words: /\b[A-Z]{2,}_[A-Z_]+\b/, reason: 'a name of the interface: say it in words' },
  { words: /(?<=[a-z])'(?=[a-z])/i, reason: 'the typographic apostrophe ’' },
]

/** In the descriptions of the APIs. */
const forDevelopers: readonly Forbidden[] = [{ words: /\bapplications?\b/i, reason: 'product, or client or app for an OAuth client' }]

export const customerWords: readonly Forbidden[] = [...everywhere, ...forCustomers]
export const developerWords: readonly Forbidden[] = [...everywhere, ...forDevelopers]

/** The forbidden words of a text, each with its surroundings and the reason. */
export const wrongWordsIn = (text: string, forbidden: readonly Forbidden[]): string[] =>
  forbidden.flatMap(({ words, reason }) => {
    const found = words.exec(text)
    return found ? [`${text.slice(Math.max(0, found.index - 40), found.index + 60).replace(/\s+/g, ' ')} → ${reason}`] : []
  })
