// Requests a passkey from the browser before a passkey form is submitted. Without this script these forms stay hidden.

const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } = window.SimpleWebAuthnBrowser
const ceremonies = { create: startRegistration, get: startAuthentication }
const isSupported = browserSupportsWebAuthn()

/** Sends the form with a passkey. */
async function send(form, ceremony, settings) {
  form.elements.response.value = JSON.stringify(await ceremonies[ceremony](settings))
  form.submit()
}

for (const part of document.querySelectorAll('[data-passkey]')) {
  const { passkey: ceremony, options, autofill } = part.dataset
  const form = part.closest('form')
  const status = part.querySelector('[data-status]')
  // Without support for passkeys, a form that creates one shows an error when submitted. A form that uses one stays hidden.
  part.hidden = !isSupported && ceremony === 'get'
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    status.textContent = ''
    if (!isSupported) return (status.textContent = 'This browser does not support passkeys.')
    try {
      await send(form, ceremony, { optionsJSON: JSON.parse(options) })
    } catch (error) {
      const isRegistered = error.name === 'InvalidStateError'
      status.textContent = isRegistered ? 'This device already has a passkey for your account.' : 'No passkey was used. Try again.'
    }
  })
  // The request waits until the user selects a passkey among the suggestions of the field. The button ends it by its own request.
  if (autofill !== undefined)
    browserSupportsWebAuthnAutofill()
      .then((isOffered) => isOffered && send(form, ceremony, { optionsJSON: JSON.parse(options), useBrowserAutofill: true }))
      .catch(() => {})
}
