// States when the token will expire, in the date format and time zone of the user.

for (const output of document.querySelectorAll('[data-expiry]')) {
  const { form } = output
  const [locale, options] = JSON.parse(output.dataset.expiry)
  const format = new Intl.DateTimeFormat(locale, options)
  const latest = output.dataset.latest ? new Date(output.dataset.latest) : null
  const endOf = (day) => {
    const end = new Date(`${day}T23:59:59.999Z`)
    return latest && end > latest && day === output.dataset.latest.slice(0, 10) ? latest : end
  }
  const show = () => {
    const chosen = form.querySelector('[name=expiresAt]:checked')
    const lifetime = chosen?.labels[0].querySelector('time')
    const instant = chosen?.value === 'date' ? endOf(form.elements.day.value) : new Date(lifetime?.dateTime)
    const isKnown = instant > new Date()
    output.textContent = isKnown ? `Expires on ${format.format(instant)}.` : chosen?.value === 'never' ? 'Never expires.' : '\u00a0'
  }
  form.addEventListener('input', show)
  show()
}
