// Submits the form of a 6-digit code as soon as the code is complete. Longer input, such as a recovery code, is submitted by the button. So
// is a form with an option that is not ticked, because the user reads it after the code.

const codeField = document.querySelector('[autocomplete=one-time-code]')
let submittedCode = ''

codeField?.addEventListener('input', () => {
  const code = codeField.value.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code) || code === submittedCode) return
  if (codeField.form.querySelector('[type=checkbox]:not(:checked)')) return
  submittedCode = code
  codeField.form.requestSubmit()
})
