// Filters a long list by what is typed into the field above it. Enter opens the first match. Without this script, the field is hidden
// and the list is whole.
for (const field of document.querySelectorAll('[data-filters]')) {
  const items = [...document.getElementById(field.dataset.filters).children]
  const status = field.nextElementSibling
  field.hidden = false
  field.addEventListener('input', () => {
    const typed = field.value.trim().toLowerCase()
    for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(typed)
    status.textContent = items.every(({ hidden }) => hidden) ? 'No team found.' : ''
  })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter')
      items
        .find(({ hidden }) => !hidden)
        ?.querySelector('a')
        .click()
  })
}
