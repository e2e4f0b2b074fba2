// Lets users see the password that they type. The field becomes a password field again before the form is sent, because otherwise the
// browser would remember the text for other fields.

for (const button of document.querySelectorAll('[data-shows]')) {
  const field = document.getElementById(button.dataset.shows)
  const show = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(isShown))
  }
  button.hidden = false
  button.addEventListener('click', () => show(field.type === 'password'))
  field.form.addEventListener('submit', () => show(false))
}
