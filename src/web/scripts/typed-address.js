// Passes the email address that the user typed on the sign-in page to the page for a forgotten password. This tab stores it.

const field = document.querySelector('[name=email]')
const key = 'typed-address'

if (document.querySelector('[name=password]')) field.addEventListener('input', () => sessionStorage.setItem(key, field.value))
else if (field?.value === '') field.value = sessionStorage.getItem(key) ?? ''
