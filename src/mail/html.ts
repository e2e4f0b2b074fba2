// A tagged template for markup, which escapes values unless they are markup themselves. Mails and the mailbox are short fixed texts, for
// which a template literal is easier to read than components.

/** Markup that needs no escaping; only `html` creates it. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Value = Html | string | number | readonly Html[]

/**
 * Returns markup: html`<p>${name}</p>` escapes `name` for use in an element or in a quoted attribute. Write characters beyond ASCII as
 * entities, because the bundler keeps the text of a tagged template, and the bundle is ASCII.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, index) => part + (index < values.length ? buildMarkup(values[index] ?? '') : '')).join(''))
}

function buildMarkup(value: Value): string {
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(({ markup }) => markup).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
