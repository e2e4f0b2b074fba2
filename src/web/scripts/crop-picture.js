// Shows the picture that is chosen for an upload, lets the user move and enlarge it, and sends what is visible. Also takes a file that is
// dropped. Without this script, or for a file that the browser cannot decode, the file is sent as it is, and the server decides.

for (const picture of document.querySelectorAll('.picture')) {
  const field = picture.querySelector('input[type=file]')
  const editor = picture.querySelector('.crop')
  const canvas = editor.querySelector('canvas')
  const zoom = editor.querySelector('input[type=range]')
  const preview = picture.querySelector('canvas.avatar')
  const current = picture.querySelector('.avatar:not(canvas)')
  const isRound = editor.dataset.round === 'true'
  const side = canvas.width
  const step = side / 32
  /** The decoded picture, its size at the zoom 1, and its place and size on the canvas; null if no file is chosen. */
  let shown = null
  /** Where the pointer was last while it moves the picture. */
  let dragged = { x: 0, y: 0 }

  function draw(target) {
    const context = target.getContext('2d')
    const factor = target.width / side
    context.imageSmoothingQuality = 'high'
    // Pictures are stored without transparency.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, target.width, target.height)
    context.drawImage(shown.bitmap, shown.left * factor, shown.top * factor, shown.width * factor, shown.height * factor)
  }

  /** A side that fits into the square is centered in it. A longer one covers the square. */
  const limit = (start, length) => (length <= side ? (side - length) / 2 : Math.min(0, Math.max(side - length, start)))

  function place(left, top) {
    shown.left = limit(left, shown.width)
    shown.top = limit(top, shown.height)
    draw(canvas)
    draw(preview)
    if (!isRound) return
    const context = canvas.getContext('2d')
    context.fillStyle = '#0008'
    context.beginPath()
    context.rect(0, 0, side, side)
    context.arc(side / 2, side / 2, side / 2, 0, 2 * Math.PI, true)
    context.fill()
  }

  function enlarge(factor) {
    const { left, top, width } = shown
    shown.width = shown.base.width * factor
    shown.height = shown.base.height * factor
    // The center stays in its place.
    const ratio = shown.width / width
    place(side / 2 - (side / 2 - left) * ratio, side / 2 - (side / 2 - top) * ratio)
  }

  function open(bitmap) {
    const fill = isRound ? Math.max : Math.min
    const scale = fill(side / bitmap.width, side / bitmap.height)
    const base = { width: bitmap.width * scale, height: bitmap.height * scale }
    shown = { bitmap, base, ...base, left: 0, top: 0 }
    zoom.value = 1
    place((side - base.width) / 2, (side - base.height) / 2)
    show(true)
  }

  function show(isOpen) {
    editor.hidden = !isOpen
    preview.hidden = !isOpen
    current.hidden = isOpen
  }

  /** Removes what was about the previous file, including the message of the server. */
  function close() {
    shown = null
    show(false)
    document.getElementById(`${field.id}-wrong`)?.remove()
    field.removeAttribute('aria-invalid')
  }

  /** Shows an error in the place in which the server shows those of the field. */
  function refuse(message) {
    const wrong = document.createElement('p')
    Object.assign(wrong, { className: 'wrong', role: 'alert', id: `${field.id}-wrong`, textContent: message })
    field.value = ''
    field.after(wrong)
  }

  /** Shows the file in the field, or says why it cannot be used. */
  async function load() {
    const [file] = field.files
    close()
    if (!file) return
    const isOfType = field.accept.split(',').includes(file.type)
    const isSmall = file.size <= Number(editor.dataset.maxBytes)
    if (!isOfType || !isSmall) return refuse(isOfType ? editor.dataset.tooLarge : editor.dataset.wrongType)
    const bitmap = await createImageBitmap(file).catch(() => null)
    // Another file may have been chosen meanwhile.
    if (bitmap && field.files[0] === file) open(bitmap)
  }

  field.addEventListener('change', () => void load())
  zoom.addEventListener('input', () => enlarge(Number(zoom.value)))
  editor.querySelector('button').addEventListener('click', () => {
    field.value = ''
    close()
    field.focus()
  })

  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    dragged = { x: event.clientX, y: event.clientY }
  })
  canvas.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (!canvas.hasPointerCapture(pointerId)) return
    const factor = side / canvas.clientWidth
    place(shown.left + (clientX - dragged.x) * factor, shown.top + (clientY - dragged.y) * factor)
    dragged = { x: clientX, y: clientY }
  })
  canvas.addEventListener('keydown', (event) => {
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? []
    if (x === undefined) return
    event.preventDefault()
    place(shown.left + x * step, shown.top + y * step)
  })

  for (const type of ['dragenter', 'dragover'])
    picture.addEventListener(type, (event) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      picture.dataset.drop = ''
    })
  picture.addEventListener('dragleave', (event) => {
    if (!picture.contains(event.relatedTarget)) delete picture.dataset.drop
  })
  picture.addEventListener('drop', (event) => {
    event.preventDefault()
    delete picture.dataset.drop
    if (event.dataTransfer.files.length === 0) return
    field.files = event.dataTransfer.files
    void load()
  })

  field.form.addEventListener('formdata', ({ formData }) => {
    if (shown) formData.set(field.name, createFile())
  })

  /** Returns the visible part as a file. `toBlob` would be too late: the form is sent when the event has been handled. */
  function createFile() {
    const result = document.createElement('canvas')
    result.width = side
    result.height = side
    draw(result)
    const [, data] = result.toDataURL('image/png').split(',')
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    return new File([bytes], 'picture.png', { type: 'image/png' })
  }
}
