// Asks the browser for a passkey before a form of PasskeyForm is sent. Without this script, or in a browser without
// passkeys, these forms stay hidden.

const { browserSupportsWebAuthn, startAuthentication, startRegistration } = window.SimpleWebAuthnBrowser
const ceremonies = { create: startRegistration, get: startAuthentication }

for (const part of browserSupportsWebAuthn() ? document.querySelectorAll('[data-passkey]') : []) {
  const form = part.closest('form')
  const said = part.querySelector('[data-said]')
  part.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    said.textContent = ''
    try {
      const answer = await ceremonies[part.dataset.passkey]({ optionsJSON: JSON.parse(part.dataset.options) })
      form.elements.response.value = JSON.stringify(answer)
      form.submit()
    } catch (error) {
      said.textContent =
        error.name === 'InvalidStateError'
          ? 'This device has a passkey for your account already.'
          : 'No passkey was used. You can try again.'
    }
  })
}
