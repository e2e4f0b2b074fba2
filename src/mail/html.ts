// Markup by a tagged template: a value is text and escaped, unless it is markup itself. Mails and the mailbox are a
// few fixed lines around values, which read best as the lines they are.

/** Markup that needs no escaping; only `html` makes it. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Value = Html | string | number | readonly Html[]

/** html`<p>${name}</p>`: whatever `name` holds, it is read as text, in an element and in a quoted attribute. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, index) => part + (index < values.length ? markupOf(values[index] ?? '') : '')).join(''))
}

function markupOf(value: Value): string {
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(({ markup }) => markup).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
