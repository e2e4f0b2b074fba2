// "Select all" checks the boxes of all rows, and is unchecked when one of them is.
for (const all of document.querySelectorAll('input[name=all]')) {
  const boxes = [...document.querySelectorAll(`input[name=selected][form="${all.getAttribute('form')}"]`)]
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
  })
  for (const box of boxes) box.addEventListener('change', () => (all.checked = boxes.every(({ checked }) => checked)))
}
