// Ticks the permissions of a preset without a request, and says how many there are now. The value of a preset lists what it ticks.

for (const presets of document.querySelectorAll('.presets')) {
  const like = presets.querySelector('select')
  const boxes = [...presets.closest('form').querySelectorAll('input[name=scopes]')]
  const tick = (scopes) => {
    if (scopes === '') return
    for (const box of boxes) box.checked = scopes.split(' ').includes(box.value)
    const count = boxes.filter(({ checked }) => checked).length
    presets.querySelector('[data-status]').textContent = `${count} of ${boxes.length} permissions selected`
  }
  for (const button of presets.querySelectorAll('button'))
    button.addEventListener('click', (event) => {
      event.preventDefault()
      if (button.value === 'like') return tick(like.value)
      if (like) like.value = ''
      tick(button.value)
    })
  like?.addEventListener('change', () => tick(like.value))
}
