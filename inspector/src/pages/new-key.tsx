import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

const dayMs = 86_400_000

/** The form that makes a key; what it leaves open is as the gateway has it. */
export function NewKey({ onCreate }: { readonly onCreate: (body: object) => void }): JSX.Element {
  const [name, setName] = useState('')
  const [tenant, setTenant] = useState('')
  const [models, setModels] = useState('')
  const [days, setDays] = useState('')
  const [usdPerDay, setUsdPerDay] = useState('')
  const send = (event: Event): void => {
    event.preventDefault()
    const allowedModels = models.split(/[\s,]+/).filter((model) => model !== '')
    onCreate({
      name: name.trim(),
      ...(tenant.trim() !== '' && { tenant: tenant.trim() }),
      ...(allowedModels.length > 0 && { allowedModels }),
      ...(usdPerDay !== '' && { budgets: { usdPerDay: Number(usdPerDay) } }),
      ...(days !== '' && { expiresMs: Date.now() + Number(days) * dayMs }),
    })
    setName('')
  }
  return (
    <section class="panel">
      <header>
        <h2>New key</h2>
      </header>
      <form class="inside fields" onSubmit={send}>
        <Field label="Name" value={name} onInput={setName} placeholder="what it is for" />
        <Field label="Tenant" value={tenant} onInput={setTenant} placeholder="your own" />
        <Field label="Models" value={models} onInput={setModels} placeholder="all, or gpt-*, claude-*" />
        <Field label="Days" value={days} onInput={(text) => setDays(text.replaceAll(/\D/g, ''))} placeholder="no end" />
        <Field
          label="Dollars a day"
          value={usdPerDay}
          onInput={(text) => setUsdPerDay(text.replaceAll(/[^\d.]/g, ''))}
          placeholder="no limit"
        />
        <button type="submit" class="main" disabled={name.trim() === ''}>
          Create
        </button>
      </form>
    </section>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly onInput: (text: string) => void
}

function Field({ label, value, placeholder, onInput }: FieldProps): JSX.Element {
  return (
    <label>
      {label}
      <input
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        autoComplete="off"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}
