// Submits the form of a 6-digit code as soon as the code is complete. Longer input, such as a recovery code, is submitted by the button.

const codeField = document.querySelector('[autocomplete=one-time-code]')
let submittedCode = ''

codeField?.addEventListener('input', () => {
  const code = codeField.value.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code) || code === submittedCode) return
  submittedCode = code
  codeField.form.requestSubmit()
})
