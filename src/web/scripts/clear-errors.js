// On a page with a refused form: an error disappears when its field is changed. The server checks the form again in any case.

for (const field of document.querySelectorAll('[aria-invalid]'))
  field.addEventListener(
    'input',
    () => {
      const ids = field.getAttribute('aria-describedby').split(' ')
      const wrong = ids.find((id) => id.endsWith('-wrong'))
      document.getElementById(wrong)?.remove()
      field.removeAttribute('aria-invalid')
      field.setAttribute('aria-describedby', ids.filter((id) => id !== wrong).join(' '))
    },
    { once: true },
  )
