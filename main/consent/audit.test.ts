import { appendFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tempDir } from '../../e2e/support/host.ts';
import type { Ask } from '../../shared/asks.ts';
import { HostEvents } from '../events.ts';
import { AuditLog } from './audit.ts';

const approval: Ask = {
  kind: 'approval',
  id: 'q1',
  askedAt: 1,
  server: 's',
  tool: 't',
  callId: 'c',
  conversationId: 'one',
  args: { path: '/a', token: 'hunter2' },
  inputSchema: {},
};
const form: Ask = { kind: 'elicitation', id: 'q2', askedAt: 1, server: 's', message: 'Who?', schema: {} };

async function setUp(maxFileBytes?: number) {
  const { path, remove } = await tempDir();
  onTestFinished(remove);
  const problems: string[] = [];
  const events = new HostEvents();
  events.on(event => event.name === 'problem' && problems.push(event.payload.message));
  const file = join(path, 'audit.jsonl');
  const hide = (text: string, server: string | undefined) =>
    server === 's' ? text.replaceAll('hunter2', '[hidden]') : text;
  const open = () =>
    new AuditLog(file, { emit: events.emit, hide, ...(maxFileBytes ? { maxFileBytes } : {}) });
  return { path, file, open, log: open(), problems };
}

it('keeps every question and how it ended, without secrets and without what a person wrote', async () => {
  const { log, file } = await setUp();
  log.asked(approval);
  log.answered(approval, { action: 'allow', args: { path: '/b', token: 'hunter2' } }, 'person');
  log.asked(form);
  log.answered(form, { action: 'accept', content: { name: 'Ada' } }, 'person');
  log.decided({
    kind: 'approval',
    server: 's',
    tool: 't',
    about: { token: 'hunter2' },
    decision: 'allow',
    by: 'rule',
  });
  const { entries, damaged } = log.read();
  const about = { kind: 'approval', id: 'q1', server: 's', tool: 't', conversationId: 'one' };
  expect(entries).toMatchObject([
    { event: 'asked', ...about, about: '{"path":"/a","token":"[hidden]"}' },
    {
      event: 'answered',
      ...about,
      decision: 'allow',
      by: 'person',
      edited: true,
      about: '{"path":"/b","token":"[hidden]"}',
    },
    { event: 'asked', kind: 'elicitation', id: 'q2', about: 'Who?' },
    { event: 'answered', kind: 'elicitation', decision: 'accept', by: 'person' },
    { event: 'decided', decision: 'allow', by: 'rule' },
  ]);
  expect(damaged).toBe(0);
  const text = await readFile(file, 'utf8');
  expect(text).not.toContain('hunter2');
  expect(text).not.toContain('Ada');
  expect((await stat(file)).mode & 0o077).toBe(0);
});

it('is written by itself, and grows no larger than two files', async () => {
  const { log, file } = await setUp(2000);
  for (let n = 0; n < 100; n++) {
    log.decided({ kind: 'approval', server: 's', tool: `tool ${n}`, decision: 'allow', by: 'rule' });
    if (n % 5 === 0) log.flush();
  }
  await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toContain('tool 99'));
  const sizes = await Promise.all([file, `${file}.1`].map(async one => (await stat(one)).size));
  expect(Math.max(...sizes)).toBeLessThan(3000);
  const { entries } = log.read();
  expect(entries.at(-1)?.tool).toBe('tool 99');
  expect(entries.length).toBeLessThan(60);
});

it('is not washed out by the flood of a muted server', async () => {
  const { log } = await setUp();
  for (let n = 0; n < 500; n++) log.answered(form, { action: 'decline' }, 'muted');
  expect(log.read().entries).toMatchObject([{ by: 'muted', decision: 'decline', count: 500 }]);
});

it('goes on after lines that are damaged, and counts them', async () => {
  const { log, file, open } = await setUp();
  log.asked(form);
  log.flush();
  await appendFile(file, 'nonsense\n{"at":1}\n{"at":"2026-');
  const next = open();
  next.asked(approval);
  const { entries, damaged } = next.read();
  expect(entries.map(({ kind }) => kind)).toEqual(['elicitation', 'approval']);
  expect(damaged).toBe(3);
});

it('that cannot be written is said once, stops nothing, and goes on when it can', async () => {
  const { log, file, problems } = await setUp();
  await mkdir(file);
  for (let n = 0; n < 3; n++) {
    log.asked(form);
    log.flush();
  }
  expect(problems).toEqual([expect.stringContaining('The audit log cannot be written')]);
  await rm(file, { recursive: true });
  await writeFile(file, '');
  log.asked(approval);
  expect(log.read().entries).toMatchObject([{ kind: 'approval' }]);
});
