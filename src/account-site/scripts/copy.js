// Shows the buttons that copy what is shown once, and says that they did.

for (const button of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  const said = button.nextElementSibling
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).innerText)
      said.textContent = 'Copied.'
    } catch {
      said.textContent = 'Not copied: the browser did not allow it.'
    }
  })
}
