/** Each step takes the schema one version up; a step that has been released is never edited. */
export const migrations = [
  `
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    -- JSON: the names of the tools that the last request offered
    offered_tools TEXT
  ) STRICT;
  CREATE INDEX conversations_by_recency ON conversations (updated_at DESC);
  CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    role TEXT NOT NULL, status TEXT NOT NULL, model TEXT, stop_reason TEXT, created_at INTEGER NOT NULL,
    -- the process that is writing it, while it is streaming
    writer_pid INTEGER,
    UNIQUE (conversation_id, position)
  ) STRICT;
  CREATE TABLE blocks (
    message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (message_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tool_rules (
    server TEXT NOT NULL, tool TEXT NOT NULL, rule TEXT NOT NULL, fingerprint TEXT NOT NULL, since INTEGER NOT NULL,
    PRIMARY KEY (server, tool)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE disabled_tools (
    server TEXT NOT NULL, tool TEXT NOT NULL, PRIMARY KEY (server, tool)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE server_eras (
    config_hash TEXT PRIMARY KEY, json TEXT NOT NULL, found_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- calls that a server goes on with as a task, for the next start
  CREATE TABLE running_tasks (
    message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    -- the process that waits for it, and since when
    owner_pid INTEGER NOT NULL, owned_since INTEGER NOT NULL,
    PRIMARY KEY (message_id, position)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- what the tool was when it was allowed (JSON), to show what has changed since; and where the person answered
  ALTER TABLE tool_rules ADD COLUMN definition TEXT;
  ALTER TABLE tool_rules ADD COLUMN origin TEXT NOT NULL DEFAULT 'settings';
  -- for the tools of a server that have no rule of their own
  CREATE TABLE server_rules (
    server TEXT PRIMARY KEY, rule TEXT NOT NULL, allow_read_only INTEGER NOT NULL, since INTEGER NOT NULL,
    origin TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- the tools as they were when their server got its rule: it allows no others
  CREATE TABLE covered_tools (
    server TEXT NOT NULL REFERENCES server_rules (server) ON DELETE CASCADE ON UPDATE CASCADE,
    tool TEXT NOT NULL, fingerprint TEXT NOT NULL, definition TEXT NOT NULL,
    PRIMARY KEY (server, tool)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- work that only one process at a time may do; until: when a holder that does not renew it is believed dead
  CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- JSON: the tools and instructions that a server told of last, for the time until it is there again
  CREATE TABLE last_known (
    server TEXT PRIMARY KEY, config_hash TEXT NOT NULL, json TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- what is written but not sent; the place is the conversation's id, or '' for one that has no message yet
  CREATE TABLE drafts (
    place TEXT PRIMARY KEY, conversation_id TEXT REFERENCES conversations (id) ON DELETE CASCADE,
    text TEXT NOT NULL, attachments TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE conversations ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE conversations ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
  -- with a number for each block, which the index of words needs
  CREATE TABLE numbered_blocks (
    id INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (message_id, position)
  ) STRICT;
  INSERT INTO numbered_blocks (message_id, position, json)
    SELECT b.message_id, b.position, b.json FROM blocks b JOIN messages m ON m.id = b.message_id
    ORDER BY m.created_at, m.position, b.position;
  DROP TABLE blocks;
  ALTER TABLE numbered_blocks RENAME TO blocks;
  -- what persons and models wrote, to be searched; the text itself is only in the blocks
  CREATE VIEW block_texts AS SELECT id, json ->> 'text' AS text FROM blocks WHERE json ->> 'type' = 'text';
  CREATE VIRTUAL TABLE block_words USING fts5 (
    text, content = 'block_texts', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
  );
  INSERT INTO block_words (rowid, text) SELECT id, text FROM block_texts;
  CREATE TRIGGER block_added AFTER INSERT ON blocks WHEN new.json ->> 'type' = 'text' BEGIN
    INSERT INTO block_words (rowid, text) VALUES (new.id, new.json ->> 'text');
  END;
  CREATE TRIGGER block_removed AFTER DELETE ON blocks WHEN old.json ->> 'type' = 'text' BEGIN
    INSERT INTO block_words (block_words, rowid, text) VALUES ('delete', old.id, old.json ->> 'text');
  END;
  CREATE TRIGGER block_replaced AFTER UPDATE ON blocks BEGIN
    INSERT INTO block_words (block_words, rowid, text)
      SELECT 'delete', old.id, old.json ->> 'text' WHERE old.json ->> 'type' = 'text';
    INSERT INTO block_words (rowid, text) SELECT new.id, new.json ->> 'text' WHERE new.json ->> 'type' = 'text';
  END;
  `,
  `
  -- JSON: what holds for this conversation alone
  ALTER TABLE conversations ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
  `,
  `
  -- JSON: what the request of an answer took
  ALTER TABLE messages ADD COLUMN usage TEXT;
  `,
  `
  -- who named it: new (nobody yet), words (its first ones), model, person
  ALTER TABLE conversations ADD COLUMN title_from TEXT NOT NULL DEFAULT 'new';
  UPDATE conversations SET title_from = 'person' WHERE title <> 'New conversation';
  `,
  `
  -- the messages of a conversation are a tree; until now each was a straight line
  ALTER TABLE messages ADD COLUMN parent_id TEXT;
  UPDATE messages SET parent_id = (
    SELECT p.id FROM messages p
    WHERE p.conversation_id = messages.conversation_id AND p.position < messages.position
    ORDER BY p.position DESC LIMIT 1
  );
  -- the last message of the branch that is shown
  ALTER TABLE conversations ADD COLUMN leaf_id TEXT;
  -- JSON: the names of the tools that were offered with this answer, where others were before it on its branch
  ALTER TABLE messages ADD COLUMN offered_tools TEXT;
  UPDATE messages SET offered_tools = (
    SELECT offered_tools FROM conversations WHERE id = messages.conversation_id
  ) WHERE id IN (
    SELECT (SELECT id FROM messages WHERE conversation_id = c.id AND role = 'assistant' ORDER BY position DESC LIMIT 1)
    FROM conversations c
  );
  ALTER TABLE conversations DROP COLUMN offered_tools;
  `,
  `
  ALTER TABLE conversations ADD COLUMN folder TEXT;
  `,
  `
  -- what was sent while a turn ran
  CREATE TABLE queued_messages (
    id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    position INTEGER NOT NULL, text TEXT NOT NULL, attachments TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- the versions of a message are those with the same parent
  CREATE INDEX messages_by_parent ON messages (conversation_id, parent_id);
  `,
  `
  -- JSON: what requests took that gave the conversation no message, such as those for its title
  CREATE TABLE other_usages (
    id INTEGER PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    model TEXT NOT NULL, usage TEXT NOT NULL
  ) STRICT;
  CREATE INDEX other_usages_by_conversation ON other_usages (conversation_id);
  `,
  `
  -- JSON: the names of the tools that the model has from this answer on, where it searches the others
  ALTER TABLE messages ADD COLUMN loaded_tools TEXT;
  `,
  `
  -- JSON: results too large to be a part of their message; the block holds the beginning
  CREATE TABLE large_results (
    block_id INTEGER PRIMARY KEY REFERENCES blocks (id) ON DELETE CASCADE, json TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- of a message that is being edited; else of the conversation
  ALTER TABLE drafts ADD COLUMN message_id TEXT REFERENCES messages (id) ON DELETE CASCADE;
  `,
];
