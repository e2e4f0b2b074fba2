// Says how good a new password is while it is typed. The server decides by the same rule as for the submitted form; a password that is
// too short is not sent.

const pauseMilliseconds = 300

for (const meter of document.querySelectorAll('[data-strength]')) {
  const field = document.getElementById(meter.dataset.strength)
  const words = meter.nextElementSibling
  const rule = words.textContent
  let timer
  let request = new AbortController()

  function show(strength, text) {
    meter.dataset.level = strength
    words.textContent = text
  }

  async function ask({ signal }) {
    const { name, email } = field.form.elements
    const body = new URLSearchParams({ form: 'strength', csrf: meter.dataset.csrf, password: field.value })
    if (name) body.set('name', name.value)
    if (email) body.set('email', email.value)
    try {
      const answer = await fetch(field.form.action, { method: 'POST', body, signal, redirect: 'error' })
      const { strength, text } = await answer.json()
      show(strength, text)
    } catch {
      // The password was changed meanwhile, or the session has ended. The submitted form tells.
    }
  }

  field.addEventListener('input', () => {
    // The message of the server was about another password.
    document.getElementById(`${field.id}-wrong`)?.remove()
    field.removeAttribute('aria-invalid')
    clearTimeout(timer)
    request.abort()
    request = new AbortController()
    const missing = meter.dataset.minLength - [...field.value].length
    if (field.value === '') show('', rule)
    else if (missing > 0) show('length', missing === 1 ? 'One more character.' : `${missing} more characters.`)
    else timer = setTimeout(ask, pauseMilliseconds, request)
  })
}
