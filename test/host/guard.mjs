// Starts a program in a process group of its own and stays beside it. When the process that started
// it closes the pipe, ends or is killed, the guard ends the whole group, so that no server or
// extension host is left running. Plain JavaScript, which starts fast.
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const windows = process.platform === 'win32';
const child = spawn(String(command), args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: !windows,
});

/** Ends all remaining processes of the group, including the program itself. */
function killGroup() {
  if (windows) {
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}

function end() {
  child.kill('SIGTERM');
  setTimeout(killGroup, 1500).unref();
}

process.stdin.resume();
process.stdin.once('close', end);
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, end);

child.once('error', (error) => {
  console.error(`${command}: ${error.message}`);
  process.exit(127);
});
child.once('exit', (code) => {
  killGroup();
  process.exit(code ?? 1);
});
