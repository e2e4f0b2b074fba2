// Takes the email address that was typed on the sign-in page to the pages that email a link for a new password or a code. It stays in this
// tab.

const field = document.querySelector('[name=email]')
const key = 'typed-address'

if (document.querySelector('[name=password]')) field.addEventListener('input', () => sessionStorage.setItem(key, field.value))
else if (field?.value === '') field.value = sessionStorage.getItem(key) ?? ''
