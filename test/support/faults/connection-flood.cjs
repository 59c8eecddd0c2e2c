// A client of 127.0.0.22 in a process of its own, so that it slows down no test: half of its connections ask
// again and again, the others come and go. Arguments: port, connections, milliseconds.
const { connect } = require('node:net');

const [port, connections, milliseconds] = process.argv.slice(2).map(Number);
const end = Date.now() + milliseconds;
const REQUEST = 'GET /v1/whoami HTTP/1.1\r\nHost: x\r\n';

function open() {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.22' });
  return socket.on('error', () => undefined);
}

function stay() {
  const socket = open();
  const ask = () => (Date.now() < end ? socket.write(`${REQUEST}\r\n`) : socket.destroy());
  socket.on('connect', ask).on('data', ask);
}

function comeAndGo() {
  if (Date.now() >= end) return;
  open().on('close', comeAndGo).resume().end(`${REQUEST}Connection: close\r\n\r\n`);
}

for (let count = 0; count < connections / 2; count++) {
  stay();
  comeAndGo();
}
