// Asks the browser for a passkey before a form of PasskeyForm is sent. Without this script these forms stay hidden.

const { browserSupportsWebAuthn, startAuthentication, startRegistration } = window.SimpleWebAuthnBrowser
const ceremonies = { create: startRegistration, get: startAuthentication }
const isSupported = browserSupportsWebAuthn()

for (const part of document.querySelectorAll('[data-passkey]')) {
  const { passkey: ceremony, options } = part.dataset
  const form = part.closest('form')
  const said = part.querySelector('[data-said]')
  // Where one is to be made, a browser that cannot says so; where one would do, it is not offered.
  part.hidden = !isSupported && ceremony === 'get'
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    said.textContent = ''
    if (!isSupported) return (said.textContent = 'This browser knows no passkeys.')
    try {
      form.elements.response.value = JSON.stringify(await ceremonies[ceremony]({ optionsJSON: JSON.parse(options) }))
      form.submit()
    } catch (error) {
      const isThere = error.name === 'InvalidStateError'
      said.textContent = isThere ? 'This device has a passkey for your account already.' : 'No passkey was used. You can try again.'
    }
  })
}
