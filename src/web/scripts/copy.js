// Shows copy buttons where the browser can write to the clipboard, and reports the result next to the button.

for (const button of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  const status = button.nextElementSibling
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).innerText)
      status.textContent = 'Copied.'
    } catch {
      status.textContent = 'Could not copy. Select the text and copy it yourself.'
    }
  })
}
