// Proposes the slug of a new team while its name is typed, as schema/teams/rules.ts does, and the time zone of the browser.

const [name, slug, timezone] = ['name', 'slug', 'timezone'].map((each) => document.getElementById(`field-${each}`))

const slugOfName = (text) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('\u00DF', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '')

// A slug that the user typed stays.
let proposed = ''
name?.addEventListener('input', () => {
  if (slug.value === proposed) slug.value = proposed = slugOfName(name.value)
})

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
const isKnown = [...(timezone?.list.options ?? [])].some(({ value }) => value === timeZone)
// Not in a form that was refused: the user may have emptied the field.
if (isKnown && timezone.value === '' && !document.querySelector('[aria-invalid]')) timezone.value = timeZone
